CREATE TABLE `transfers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	`info_hash` text NOT NULL,
	`other_hashes` text DEFAULT '' NOT NULL,
	`title` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`folder_from` text NOT NULL,
	`folder_to` text NOT NULL,
	`state` text NOT NULL,
	`was_paused` integer DEFAULT false NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`is_stopped` integer DEFAULT false NOT NULL,
	`reason` text,
	`created_at_unix` integer NOT NULL,
	`since_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transfers_open` ON `transfers` (`from_id`,`info_hash`) WHERE state in ('waiting', 'adding', 'checking', 'switching');--> statement-breakpoint
CREATE INDEX `transfers_by_state` ON `transfers` (`state`,`id`);