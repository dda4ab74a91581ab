CREATE TABLE `brush_tasks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`site_id` integer NOT NULL,
	`site` text NOT NULL,
	`downloader_id` integer NOT NULL,
	`every_minutes` integer NOT NULL,
	`rules` text NOT NULL,
	`due_at_unix` integer NOT NULL,
	`run` integer DEFAULT 0 NOT NULL,
	`last_finished_at_unix` integer,
	`last_error` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`day` text DEFAULT '' NOT NULL,
	`day_uploaded_bytes` integer DEFAULT 0 NOT NULL,
	`day_downloaded_bytes` integer DEFAULT 0 NOT NULL,
	`day_added` integer DEFAULT 0 NOT NULL,
	`day_removed` integer DEFAULT 0 NOT NULL,
	`uploaded_bytes` integer DEFAULT 0 NOT NULL,
	`downloaded_bytes` integer DEFAULT 0 NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`removed` integer DEFAULT 0 NOT NULL,
	`created_at_unix` integer NOT NULL,
	`updated_at_unix` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `brush_tasks_by_name` ON `brush_tasks` (`name`);--> statement-breakpoint
CREATE INDEX `brush_tasks_by_site` ON `brush_tasks` (`site_id`);--> statement-breakpoint
CREATE TABLE `brush_torrents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`task_id` integer NOT NULL,
	`site` text NOT NULL,
	`torrent_id` text NOT NULL,
	`title` text NOT NULL,
	`downloader_id` integer NOT NULL,
	`info_hash` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`uploaded_bytes` integer DEFAULT 0 NOT NULL,
	`downloaded_bytes` integer DEFAULT 0 NOT NULL,
	`taken_at_unix` integer NOT NULL,
	`completed_at_unix` integer,
	`last_upload_at_unix` integer NOT NULL,
	`free_end_at_unix` integer,
	`missing_since_unix` integer,
	`attempts` integer DEFAULT 1 NOT NULL,
	`reason` text,
	`ended_at_unix` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `brush_torrents_by_torrent` ON `brush_torrents` (`site`,`torrent_id`);--> statement-breakpoint
CREATE INDEX `brush_torrents_by_task` ON `brush_torrents` (`task_id`,`status`);--> statement-breakpoint
CREATE INDEX `push_records_brushed` ON `push_records` (`downloader_id`) WHERE source = 'brush';