ALTER TABLE `feed_items` ADD `shown_at_unix` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `feeds` ADD `listed_at_unix` integer;