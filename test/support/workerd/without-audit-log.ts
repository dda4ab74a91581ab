import { env } from 'cloudflare:workers'

/** What comes of `act` while no record of it can be written. */
export async function withoutAuditLog<T>(act: () => Promise<T>): Promise<T> {
  await env.DB.prepare(
    "create trigger audit_away before insert on audit_entries begin select raise(abort, 'away'); end",
  ).run()
  try {
    return await act()
  } finally {
    await env.DB.prepare('drop trigger audit_away').run()
  }
}
