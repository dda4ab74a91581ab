CREATE TABLE `torrent_run_batches` (
	`run_id` integer NOT NULL,
	`position` integer NOT NULL,
	`downloader_id` integer NOT NULL,
	`size` integer NOT NULL,
	`targets` text NOT NULL,
	`begun_at_unix` integer,
	`succeeded` integer,
	`failed` text,
	PRIMARY KEY(`run_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `torrent_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`deed` text NOT NULL,
	`total` integer NOT NULL,
	`unread` text NOT NULL,
	`is_stopped` integer DEFAULT false NOT NULL,
	`created_at_unix` integer NOT NULL,
	`finished_at_unix` integer,
	`end` text
);
