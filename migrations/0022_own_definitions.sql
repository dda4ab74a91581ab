CREATE TABLE `own_definitions` (
	`id` text PRIMARY KEY NOT NULL,
	`facts` text NOT NULL,
	`overrides` text NOT NULL,
	`tree` text NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `sites` ADD `answered` text DEFAULT '[]' NOT NULL;