CREATE TABLE `end_rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`position` integer NOT NULL,
	`rule` text NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `end_rules_by_name` ON `end_rules` (`name`);--> statement-breakpoint
CREATE TABLE `torrent_ends` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`downloader_id` integer NOT NULL,
	`downloader` text NOT NULL,
	`info_hash` text NOT NULL,
	`title` text NOT NULL,
	`site` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`action` text NOT NULL,
	`status` text NOT NULL,
	`rule_id` integer NOT NULL,
	`rule_name` text NOT NULL,
	`clauses` text NOT NULL,
	`reason` text,
	`due_since_unix` integer NOT NULL,
	`decided_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `torrent_ends_by_torrent` ON `torrent_ends` (`downloader_id`,`info_hash`);--> statement-breakpoint
CREATE INDEX `torrent_ends_by_status` ON `torrent_ends` (`status`,`decided_at_unix`);--> statement-breakpoint
CREATE INDEX `torrent_ends_by_rule` ON `torrent_ends` (`rule_id`,`decided_at_unix`);