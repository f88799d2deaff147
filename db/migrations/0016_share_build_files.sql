CREATE TABLE "build_files" (
	"build" text NOT NULL,
	"path" text NOT NULL,
	"is_gzip" boolean NOT NULL,
	"content" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "build_files_build_path_pk" PRIMARY KEY("build","path")
);
