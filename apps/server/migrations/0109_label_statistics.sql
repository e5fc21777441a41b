-- With it, the planner knows how many devices have a common label, which is then not counted for each search.
CREATE STATISTICS device_label_pairs (mcv) ON key, value FROM device_label;
--> statement-breakpoint
ANALYZE device_label;
