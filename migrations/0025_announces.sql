ALTER TABLE `brush_torrents` ADD `clauses` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `feeds` ADD `announces` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `feeds` ADD `unheard` text;