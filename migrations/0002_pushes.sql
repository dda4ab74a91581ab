CREATE TABLE `login_reminders` (
	`site_id` integer PRIMARY KEY NOT NULL,
	`tier` text NOT NULL,
	`days_remaining` integer NOT NULL,
	`raised_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `push_records` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site` text NOT NULL,
	`torrent_id` text NOT NULL,
	`title` text NOT NULL,
	`folded_title` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`category` text DEFAULT '' NOT NULL,
	`tags` text DEFAULT '' NOT NULL,
	`free` integer DEFAULT false NOT NULL,
	`free_level` text,
	`free_end_at_unix` integer,
	`has_hr` integer DEFAULT false NOT NULL,
	`source` text NOT NULL,
	`downloader_id` integer NOT NULL,
	`downloader` text NOT NULL,
	`info_hashes` text NOT NULL,
	`pushed` integer DEFAULT false NOT NULL,
	`pushed_at_unix` integer,
	`progress_percent` real DEFAULT 0 NOT NULL,
	`completed` integer DEFAULT false NOT NULL,
	`completed_at_unix` integer,
	`error` text,
	`created_at_unix` integer NOT NULL,
	`started_at_unix` integer,
	`followed` integer DEFAULT false NOT NULL,
	`missing_since_unix` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_records_by_torrent` ON `push_records` (`site`,`torrent_id`);--> statement-breakpoint
CREATE INDEX `push_records_followed` ON `push_records` (`followed`) WHERE followed = 1;--> statement-breakpoint
CREATE INDEX `push_records_started` ON `push_records` (`started_at_unix`) WHERE started_at_unix is not null;--> statement-breakpoint
ALTER TABLE `downloaders` ADD `min_free_gib` integer DEFAULT 1 NOT NULL;