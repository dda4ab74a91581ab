ALTER TABLE `site_snapshots` ADD `seeding_points` real;--> statement-breakpoint
ALTER TABLE `site_users` ADD `joined_at_unix` integer;--> statement-breakpoint
ALTER TABLE `site_users` ADD `seeding_points` real;