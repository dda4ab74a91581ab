CREATE TABLE `quality_profiles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`rules` text NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quality_profiles_by_name` ON `quality_profiles` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `quality_profiles_one_default` ON `quality_profiles` (`is_default`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `subscription_episodes` (
	`subscription_id` integer NOT NULL,
	`number` integer NOT NULL,
	`name` text NOT NULL,
	`air_date` text,
	PRIMARY KEY(`subscription_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `subscription_torrents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subscription_id` integer NOT NULL,
	`site` text NOT NULL,
	`torrent_id` text NOT NULL,
	`title` text NOT NULL,
	`episode` integer,
	`episode_end` integer,
	`complete` integer DEFAULT false NOT NULL,
	`size_bytes` integer NOT NULL,
	`quality` text DEFAULT '{}' NOT NULL,
	`status` text NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_torrents_by_torrent` ON `subscription_torrents` (`subscription_id`,`site`,`torrent_id`);--> statement-breakpoint
CREATE INDEX `subscription_torrents_by_place` ON `subscription_torrents` (`site`,`torrent_id`);--> statement-breakpoint
CREATE INDEX `subscription_torrents_by_status` ON `subscription_torrents` (`status`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`media_type` text NOT NULL,
	`tmdb_id` integer NOT NULL,
	`season` integer NOT NULL,
	`title` text NOT NULL,
	`original_title` text NOT NULL,
	`folded_title` text NOT NULL,
	`search_title` text NOT NULL,
	`year` integer,
	`total_episodes` integer NOT NULL,
	`poster_path` text,
	`released_on` text,
	`status` text NOT NULL,
	`upgrade` integer NOT NULL,
	`profile_id` integer DEFAULT 0 NOT NULL,
	`downloader_id` integer DEFAULT 0 NOT NULL,
	`source` text NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`last_search_at_unix` integer,
	`next_search_at_unix` integer,
	`refreshed_at_unix` integer NOT NULL,
	`created_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_by_title` ON `subscriptions` (`media_type`,`tmdb_id`,`season`);--> statement-breakpoint
CREATE INDEX `subscriptions_by_next_search` ON `subscriptions` (`status`,`next_search_at_unix`);