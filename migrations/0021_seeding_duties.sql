ALTER TABLE `push_records` ADD `seeded_seconds` integer;--> statement-breakpoint
ALTER TABLE `push_records` ADD `given_bytes` integer;--> statement-breakpoint
ALTER TABLE `push_records` ADD `is_seeding` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `push_records` ADD `given_at_unix` integer;