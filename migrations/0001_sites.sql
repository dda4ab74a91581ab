CREATE TABLE `site_jobs` (
	`site_id` integer NOT NULL,
	`job` text NOT NULL,
	`due_at_unix` integer NOT NULL,
	`lease_until_unix` integer DEFAULT 0 NOT NULL,
	`last_started_at_unix` integer,
	`last_finished_at_unix` integer,
	`last_ok` integer,
	`last_error` text,
	PRIMARY KEY(`site_id`, `job`)
);
--> statement-breakpoint
CREATE INDEX `site_jobs_by_due` ON `site_jobs` (`due_at_unix`);--> statement-breakpoint
CREATE TABLE `site_sign_ins` (
	`site_id` integer NOT NULL,
	`day` text NOT NULL,
	`status` text NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_attempt_at_unix` integer,
	PRIMARY KEY(`site_id`, `day`)
);
--> statement-breakpoint
CREATE TABLE `site_snapshots` (
	`site_id` integer NOT NULL,
	`day` text NOT NULL,
	`uploaded_bytes` integer NOT NULL,
	`downloaded_bytes` integer NOT NULL,
	`bonus` real NOT NULL,
	`ratio` real NOT NULL,
	`seeding` integer NOT NULL,
	`seeding_size_bytes` integer,
	PRIMARY KEY(`site_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `site_snapshots_by_day` ON `site_snapshots` (`day`);--> statement-breakpoint
CREATE TABLE `site_users` (
	`site_id` integer PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`level` text,
	`uploaded_bytes` integer NOT NULL,
	`downloaded_bytes` integer NOT NULL,
	`ratio` real NOT NULL,
	`bonus` real NOT NULL,
	`bonus_per_hour` real,
	`seeding` integer NOT NULL,
	`leeching` integer NOT NULL,
	`seeding_size_bytes` integer,
	`unread_messages` integer NOT NULL,
	`hnr_unsatisfied` integer,
	`fetched_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sites` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`display_name` text NOT NULL,
	`kind` text NOT NULL,
	`definition` text DEFAULT '' NOT NULL,
	`base_url` text NOT NULL,
	`sealed_credentials` text DEFAULT '' NOT NULL,
	`has_cookie` integer DEFAULT false NOT NULL,
	`has_api_key` integer DEFAULT false NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`auto_sign_in` integer DEFAULT false NOT NULL,
	`inactivity_days` integer NOT NULL,
	`remind_before_days` integer NOT NULL,
	`capacity_gib` integer DEFAULT 0 NOT NULL,
	`overrides` text DEFAULT '{}' NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL,
	`last_active_at_unix` integer,
	`last_probe_at_unix` integer,
	`last_probe_status` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sites_by_name` ON `sites` (`name`);