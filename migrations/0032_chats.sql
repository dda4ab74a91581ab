CREATE TABLE `chat_bots` (
	`channel_id` integer PRIMARY KEY NOT NULL,
	`way` text NOT NULL,
	`commands` text NOT NULL,
	`origin` text DEFAULT '' NOT NULL,
	`heard_at_unix` integer,
	`fault` text,
	`code_hash` text,
	`code_permission` text,
	`code_until_unix` integer DEFAULT 0 NOT NULL,
	`code_tries` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `paired_chats` (
	`channel_id` integer NOT NULL,
	`chat` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`permission` text NOT NULL,
	`paired_at_unix` integer NOT NULL,
	`heard_at_unix` integer,
	PRIMARY KEY(`channel_id`, `chat`)
);
