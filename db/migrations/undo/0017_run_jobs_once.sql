-- Lost: when the hourly jobs last ran.
DROP TABLE "hourly_jobs";
