ALTER TABLE `subscription_torrents` ADD `pushed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `searching_until_unix` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `settled_at_unix` integer DEFAULT 0 NOT NULL;