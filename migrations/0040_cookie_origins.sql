ALTER TABLE `sites` ADD `cookie_from` text;--> statement-breakpoint
ALTER TABLE `sites` ADD `cookie_at_unix` integer;