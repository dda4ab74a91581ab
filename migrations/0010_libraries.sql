CREATE TABLE `libraries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`path` text NOT NULL,
	`mode` text NOT NULL,
	`is_default` integer NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `libraries_by_name` ON `libraries` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `libraries_one_default` ON `libraries` (`media_type`) WHERE is_default = 1;