CREATE TABLE `reseeds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`downloader_id` integer NOT NULL,
	`info_hash` text NOT NULL,
	`title` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`site` text NOT NULL,
	`state` text NOT NULL,
	`torrent_id` text DEFAULT '' NOT NULL,
	`other_title` text DEFAULT '' NOT NULL,
	`other_hashes` text DEFAULT '' NOT NULL,
	`has_hr` integer DEFAULT false NOT NULL,
	`asks` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`reason` text,
	`asked_at_unix` integer NOT NULL,
	`since_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reseeds_by_torrent` ON `reseeds` (`site`,`downloader_id`,`info_hash`);--> statement-breakpoint
CREATE INDEX `reseeds_by_state` ON `reseeds` (`state`);--> statement-breakpoint
CREATE INDEX `reseeds_by_age` ON `reseeds` (`asked_at_unix`);