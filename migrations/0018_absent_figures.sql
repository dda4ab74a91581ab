CREATE TABLE `__new_site_snapshots` (
	`site_id` integer NOT NULL,
	`day` text NOT NULL,
	`uploaded_bytes` integer,
	`downloaded_bytes` integer,
	`bonus` real,
	`ratio` real,
	`seeding` integer,
	`seeding_size_bytes` integer,
	PRIMARY KEY(`site_id`, `day`)
);
--> statement-breakpoint
INSERT INTO `__new_site_snapshots`("site_id", "day", "uploaded_bytes", "downloaded_bytes", "bonus", "ratio", "seeding", "seeding_size_bytes") SELECT "site_id", "day", "uploaded_bytes", "downloaded_bytes", "bonus", "ratio", "seeding", "seeding_size_bytes" FROM `site_snapshots`;--> statement-breakpoint
DROP TABLE `site_snapshots`;--> statement-breakpoint
ALTER TABLE `__new_site_snapshots` RENAME TO `site_snapshots`;--> statement-breakpoint
CREATE INDEX `site_snapshots_by_day` ON `site_snapshots` (`day`);--> statement-breakpoint
CREATE TABLE `__new_site_users` (
	`site_id` integer PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`level` text,
	`uploaded_bytes` integer,
	`downloaded_bytes` integer,
	`ratio` real,
	`bonus` real,
	`bonus_per_hour` real,
	`seeding` integer,
	`leeching` integer,
	`seeding_size_bytes` integer,
	`unread_messages` integer,
	`hnr_unsatisfied` integer,
	`doubts` text DEFAULT '[]' NOT NULL,
	`sources` text DEFAULT '{}' NOT NULL,
	`fetched_at_unix` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_site_users`("site_id", "username", "level", "uploaded_bytes", "downloaded_bytes", "ratio", "bonus", "bonus_per_hour", "seeding", "leeching", "seeding_size_bytes", "unread_messages", "hnr_unsatisfied", "doubts", "sources", "fetched_at_unix") SELECT "site_id", "username", "level", "uploaded_bytes", "downloaded_bytes", "ratio", "bonus", "bonus_per_hour", "seeding", "leeching", "seeding_size_bytes", "unread_messages", "hnr_unsatisfied", '[]', '{}', "fetched_at_unix" FROM `site_users`;--> statement-breakpoint
DROP TABLE `site_users`;--> statement-breakpoint
ALTER TABLE `__new_site_users` RENAME TO `site_users`;