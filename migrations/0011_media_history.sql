CREATE TABLE `media_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`media_type` text NOT NULL,
	`tmdb_id` integer NOT NULL,
	`season` integer NOT NULL,
	`title` text NOT NULL,
	`year` integer,
	`episode` integer,
	`episode_end` integer,
	`site` text NOT NULL,
	`torrent_id` text NOT NULL,
	`torrent_name` text NOT NULL,
	`folded_text` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`quality` text NOT NULL,
	`library` text DEFAULT '' NOT NULL,
	`mode` text DEFAULT 'keep' NOT NULL,
	`target_path` text DEFAULT '' NOT NULL,
	`status` text,
	`message` text DEFAULT '' NOT NULL,
	`subscription_torrent_id` integer NOT NULL,
	`downloader_id` integer NOT NULL,
	`info_hashes` text NOT NULL,
	`under_way` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`asked_at_unix` integer,
	`next_at_unix` integer NOT NULL,
	`begun_at_unix` integer NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_history_by_torrent` ON `media_history` (`media_type`,`tmdb_id`,`season`,`site`,`torrent_id`);--> statement-breakpoint
CREATE INDEX `media_history_by_update` ON `media_history` (`updated_at_unix`);--> statement-breakpoint
CREATE INDEX `media_history_by_place` ON `media_history` (`site`,`torrent_id`);--> statement-breakpoint
CREATE INDEX `media_history_by_downloader` ON `media_history` (`downloader_id`);--> statement-breakpoint
CREATE INDEX `media_history_under_way` ON `media_history` (`next_at_unix`) WHERE under_way = 1;