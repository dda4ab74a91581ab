CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`principal_id` text NOT NULL,
	`title` text NOT NULL,
	`entry` text NOT NULL,
	`run_id` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `conversations_by_principal` ON `conversations` (`principal_id`,`updated_at_ms`);--> statement-breakpoint
CREATE INDEX `conversations_by_run` ON `conversations` (`run_id`);