CREATE TABLE `feed_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`feed_id` integer NOT NULL,
	`site` text NOT NULL,
	`torrent_id` text NOT NULL,
	`title` text NOT NULL,
	`release_key` text NOT NULL,
	`status` text NOT NULL,
	`candidate` text NOT NULL,
	`rule_id` integer,
	`rule_name` text DEFAULT '' NOT NULL,
	`clauses` text DEFAULT '[]' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`reason` text,
	`found_at_unix` integer NOT NULL,
	`decided_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feed_items_by_torrent` ON `feed_items` (`site`,`torrent_id`);--> statement-breakpoint
CREATE INDEX `feed_items_by_feed` ON `feed_items` (`feed_id`,`status`);--> statement-breakpoint
CREATE INDEX `feed_items_by_rule` ON `feed_items` (`rule_id`,`decided_at_unix`);--> statement-breakpoint
CREATE INDEX `feed_items_by_age` ON `feed_items` (`found_at_unix`);--> statement-breakpoint
CREATE INDEX `feed_items_by_release` ON `feed_items` (`release_key`);--> statement-breakpoint
CREATE TABLE `feeds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`site_id` integer NOT NULL,
	`site` text NOT NULL,
	`sealed_address` text DEFAULT '' NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`every_minutes` integer NOT NULL,
	`primed` integer DEFAULT false NOT NULL,
	`etag` text DEFAULT '' NOT NULL,
	`last_modified` text DEFAULT '' NOT NULL,
	`due_at_unix` integer NOT NULL,
	`run` integer DEFAULT 0 NOT NULL,
	`last_finished_at_unix` integer,
	`last_item_at_unix` integer,
	`last_error` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feeds_by_name` ON `feeds` (`name`);--> statement-breakpoint
CREATE INDEX `feeds_by_site` ON `feeds` (`site_id`);--> statement-breakpoint
CREATE TABLE `filter_rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`position` integer NOT NULL,
	`rule` text NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `filter_rules_by_name` ON `filter_rules` (`name`);