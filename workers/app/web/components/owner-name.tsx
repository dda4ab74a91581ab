/** Tells a password manager whose password it is; there is one owner, so nobody types a name. */
export function OwnerName() {
  return (
    <input
      class="vh"
      type="text"
      name="username"
      autocomplete="username"
      value="admin"
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}
