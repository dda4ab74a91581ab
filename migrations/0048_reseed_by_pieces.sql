CREATE TABLE `piece_hashes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`info_hash` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `piece_hashes_info_hash_unique` ON `piece_hashes` (`info_hash`);--> statement-breakpoint
CREATE TABLE `reseed_asks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site` text NOT NULL,
	`asks` integer NOT NULL,
	`at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reseed_asks_by_age` ON `reseed_asks` (`at_unix`);--> statement-breakpoint
DROP INDEX `reseeds_by_age`;--> statement-breakpoint
ALTER TABLE `reseeds` ADD `way` text DEFAULT 'name' NOT NULL;--> statement-breakpoint
INSERT INTO `reseed_asks`(`site`, `asks`, `at_unix`) SELECT `site`, `asks`, `asked_at_unix` FROM `reseeds` WHERE `asked_at_unix` > unixepoch() - 86400;--> statement-breakpoint
ALTER TABLE `reseeds` DROP COLUMN `asks`;