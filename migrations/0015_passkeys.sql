CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`name` text NOT NULL,
	`host` text NOT NULL,
	`user_handle` text NOT NULL,
	`counter` integer NOT NULL,
	`is_synced` integer NOT NULL,
	`challenge_ms` integer NOT NULL,
	`created_at_unix` integer NOT NULL,
	`last_used_at_unix` integer
);
--> statement-breakpoint
ALTER TABLE `tunnel_key` ADD `made_at_unix` integer DEFAULT 0 NOT NULL;