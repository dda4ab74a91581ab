CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at_unix` integer NOT NULL,
	`expires_at_unix` integer,
	`revoked_at_unix` integer,
	`last_used_at_unix` integer
);
--> statement-breakpoint
CREATE INDEX `api_tokens_by_creation` ON `api_tokens` (`created_at_unix`);--> statement-breakpoint
CREATE TABLE `attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`window_start_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at_unix` integer NOT NULL,
	`channel` text NOT NULL,
	`user` text NOT NULL,
	`command` text NOT NULL,
	`result` text NOT NULL,
	`status` integer,
	`latency_ms` integer,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_time` ON `audit_entries` (`at_unix`);--> statement-breakpoint
CREATE TABLE `downloaders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`base_url` text NOT NULL,
	`username` text DEFAULT '' NOT NULL,
	`sealed_password` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `downloaders_by_name` ON `downloaders` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `downloaders_one_default` ON `downloaders` (`is_default`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `key_check` (
	`id` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `owner` (
	`id` integer PRIMARY KEY NOT NULL,
	`password_hash` text NOT NULL,
	`setup_code_hash` text NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`created_at_unix` integer NOT NULL,
	`expires_at_unix` integer NOT NULL,
	`last_used_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at_unix`);