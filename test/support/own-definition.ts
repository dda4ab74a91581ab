/** A definition as an owner brings it, of a site that answers in JSON; the invented line is what a test changes. */
export function ownDefinition(id: string, line = 'text: 1'): string {
  return `---
id: ${id}
name: Harbour ${id}
description: An invented tracker
language: en-US
type: private
encoding: UTF-8
links:
  - https://harbour.example/
caps:
  categorymappings:
    - {id: 1, cat: Movies/HD, desc: Films}
  modes:
    search: [q]
settings:
  - {name: apikey, type: text, label: Key}
  - {name: free, type: checkbox, label: Free only, default: false}
search:
  paths:
    - path: api/torrents/filter
      response:
        type: json
  headers:
    Authorization: ["Bearer {{ .Config.apikey }}"]
  inputs:
    name: "{{ .Keywords }}"
    $raw: "{{ if .Config.free }}free[]=100{{ else }}{{ end }}"
  rows:
    selector: data
    attribute: attributes
  fields:
    category:
      text: 1
    title:
      selector: name
    _id:
      selector: ..id
    details:
      text: "torrents/{{ .Result._id }}"
    download:
      selector: download_link
    size:
      selector: size
    seeders:
      selector: seeders
    leechers:
      selector: leechers
    uploadvolumefactor:
      ${line}
`
}
