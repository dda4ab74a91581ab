UPDATE `subscriptions` SET `message` = replace(`message`, '"kind":"hunt.', '"kind":"subscription.') WHERE `message` LIKE '%"kind":"hunt.%';--> statement-breakpoint
UPDATE `subscription_torrents` SET `message` = replace(`message`, '"kind":"hunt.', '"kind":"subscription.') WHERE `message` LIKE '%"kind":"hunt.%';--> statement-breakpoint
UPDATE `notices` SET `facts` = replace(`facts`, '"kind":"hunt.', '"kind":"subscription.') WHERE `facts` LIKE '%"kind":"hunt.%';--> statement-breakpoint
UPDATE `audit_entries` SET `reason` = replace(`reason`, '"kind":"hunt.', '"kind":"subscription.') WHERE `reason` LIKE '%"kind":"hunt.%';
