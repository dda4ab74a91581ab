CREATE TABLE `brush_looks` (
	`task_id` integer PRIMARY KEY NOT NULL,
	`at_unix` integer NOT NULL,
	`look` text NOT NULL
);
