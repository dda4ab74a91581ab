CREATE TABLE `message_templates` (
	`type` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`updated_at_unix` integer NOT NULL
);
