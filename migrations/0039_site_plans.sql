CREATE TABLE `site_plans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site_id` integer NOT NULL,
	`state` text NOT NULL,
	`plan` text NOT NULL,
	`steps` text NOT NULL,
	`made_at_unix` integer NOT NULL,
	`begun_at_unix` integer,
	`ended_at_unix` integer
);
--> statement-breakpoint
CREATE INDEX `site_plans_by_site` ON `site_plans` (`site_id`);--> statement-breakpoint
CREATE INDEX `site_plans_by_state` ON `site_plans` (`state`);