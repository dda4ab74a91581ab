/** Commands in the background, by their session. */
export const backgroundSchema = [
  `CREATE TABLE background_command (
     session_id TEXT NOT NULL, id TEXT NOT NULL, message_id TEXT NOT NULL, call_id TEXT NOT NULL, command TEXT NOT NULL,
     log TEXT NOT NULL, status TEXT NOT NULL, exit_code INTEGER, bytes INTEGER NOT NULL, started_ms INTEGER NOT NULL,
     ended_ms INTEGER, PRIMARY KEY (session_id, id)
   ) WITHOUT ROWID`,
]
