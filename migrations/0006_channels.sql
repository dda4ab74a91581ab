CREATE TABLE `channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`place` text NOT NULL,
	`chat_id` text DEFAULT '' NOT NULL,
	`header_name` text DEFAULT '' NOT NULL,
	`sealed_secrets` text NOT NULL,
	`enabled` integer NOT NULL,
	`events` text NOT NULL,
	`last_at_unix` integer,
	`last_ok` integer,
	`last_error` text,
	`lost` integer DEFAULT 0 NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`notice_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`type` text NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`at_unix` integer NOT NULL,
	`due_at_unix` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_by_channel` ON `deliveries` (`channel_id`,`notice_id`);--> statement-breakpoint
CREATE TABLE `downloader_watch` (
	`downloader_id` integer PRIMARY KEY NOT NULL,
	`misses` integer NOT NULL,
	`is_low` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`key` text,
	`facts` text NOT NULL,
	`at_unix` integer NOT NULL,
	`spread_at_unix` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notices_by_key` ON `notices` (`key`);--> statement-breakpoint
CREATE INDEX `notices_waiting` ON `notices` (`spread_at_unix`) WHERE spread_at_unix is null;