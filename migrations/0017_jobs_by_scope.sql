CREATE TABLE `jobs` (
	`scope` text NOT NULL,
	`subject_id` integer DEFAULT 0 NOT NULL,
	`name` text NOT NULL,
	`due_at_unix` integer NOT NULL,
	`lease_until_unix` integer DEFAULT 0 NOT NULL,
	`last_started_at_unix` integer,
	`last_finished_at_unix` integer,
	`last_ok` integer,
	`last_error` text,
	PRIMARY KEY(`scope`, `subject_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `jobs_by_due` ON `jobs` (`due_at_unix`);--> statement-breakpoint
INSERT INTO `jobs`
SELECT CASE WHEN `site_id` = 0 THEN 'service' ELSE 'site' END, `site_id`, `job`, `due_at_unix`, `lease_until_unix`,
	`last_started_at_unix`, `last_finished_at_unix`, `last_ok`, `last_error` FROM `site_jobs`;
--> statement-breakpoint
DROP TABLE `site_jobs`;
