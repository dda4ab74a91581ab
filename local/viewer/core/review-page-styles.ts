/** How a shared review looks: the colours of the pages, in the two the reader's system may ask for. */
export const reviewPageStyles = `
:root{color-scheme:light dark;--ground:#f4f6f6;--surface:#fff;--line:#dde3e5;--ink:#142029;--ink-2:#435059;--ink-3:#5d6a72;--accent:#0b5f8c;--bad:#ad2a21}
@media (prefers-color-scheme:dark){:root{--ground:#0f1519;--surface:#141b20;--line:#242f36;--ink:#e6ecef;--ink-2:#b0bcc3;--ink-3:#8e9ba3;--accent:#6db7e2;--bad:#f48b80}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:.8125rem/1.5 -apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header,main,footer{max-width:1360px;margin:0 auto;padding:16px}
header{padding-bottom:0}h1{margin:0;font-size:1.25rem}header p{margin:0;color:var(--ink-2)}
h2{margin:0 0 8px;font-size:.875rem}.n,.why,.at,.kind,footer,.figures dt,.figures dd{color:var(--ink-3)}.n{font-weight:400}
.mono,code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.75rem;overflow-wrap:anywhere}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:1px;margin:0 0 16px;background:var(--line);border:1px solid var(--line)}
.figures div{background:var(--surface);padding:10px 12px}.figures dd{margin:0}.figures .v{font-size:1.25rem;color:var(--ink)}
section{background:var(--surface);border:1px solid var(--line);padding:12px;margin:0 0 16px}
ul{list-style:none;margin:0;padding:0}li{display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline;padding:4px 0 4px 10px;border-left:2px solid transparent}
.certain{border-left-color:var(--accent)}.possible{border-left:2px dashed var(--ink-3)}.bad{border-left-color:var(--bad)}
li+li{margin-top:2px}.file{display:block;padding-left:0}.at{margin-left:auto}.tag{border:1px solid var(--line);border-radius:3px;padding:0 5px;font-size:.6875rem;color:var(--ink-2)}
code{flex-basis:100%;color:var(--ink-2)}b{font-weight:600}
.cols{display:grid;gap:0 16px}@media (min-width:960px){.cols{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}}
`
