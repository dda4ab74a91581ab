ALTER TABLE `push_records` ADD `unknown_end` text;--> statement-breakpoint
ALTER TABLE `push_records` ADD `free_ending` text;--> statement-breakpoint
CREATE INDEX `push_records_free` ON `push_records` (`free_ending`) WHERE followed = 1 and free = 1;--> statement-breakpoint
ALTER TABLE `site_snapshots` ADD `seeding_points` real;--> statement-breakpoint
ALTER TABLE `site_users` ADD `joined_at_unix` integer;--> statement-breakpoint
ALTER TABLE `site_users` ADD `seeding_points` real;