CREATE TABLE `watchlist_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`list_id` integer NOT NULL,
	`key` text NOT NULL,
	`entry` text NOT NULL,
	`status` text NOT NULL,
	`media_type` text,
	`tmdb_id` integer,
	`subscription_id` integer,
	`choices` text DEFAULT '' NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`found_at_unix` integer NOT NULL,
	`decided_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `watchlist_items_by_key` ON `watchlist_items` (`list_id`,`key`);--> statement-breakpoint
CREATE INDEX `watchlist_items_by_status` ON `watchlist_items` (`status`,`id`);--> statement-breakpoint
CREATE TABLE `watchlists` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`kind` text NOT NULL,
	`host` text NOT NULL,
	`account` text NOT NULL,
	`list` text NOT NULL,
	`sealed` text NOT NULL,
	`every_minutes` integer NOT NULL,
	`first_look` text NOT NULL,
	`profile_id` integer NOT NULL,
	`upgrade` integer NOT NULL,
	`primed` integer DEFAULT false NOT NULL,
	`etag` text DEFAULT '' NOT NULL,
	`last_modified` text DEFAULT '' NOT NULL,
	`run` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`due_at_unix` integer NOT NULL,
	`last_at_unix` integer,
	`last_reason` text DEFAULT '' NOT NULL,
	`created_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `watchlists_by_name` ON `watchlists` (`name`);