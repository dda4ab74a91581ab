CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`permission` text NOT NULL,
	`paired_at_unix` integer NOT NULL,
	`last_used_at_unix` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_by_key` ON `devices` (`public_key`);--> statement-breakpoint
CREATE TABLE `pairing_code` (
	`id` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`permission` text NOT NULL,
	`expires_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tunnel_key` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`sealed` text NOT NULL
);
