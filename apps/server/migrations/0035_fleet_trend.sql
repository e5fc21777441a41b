CREATE TABLE "fleet_trend" (
	"at" timestamp with time zone NOT NULL,
	"country" text NOT NULL,
	"model" text NOT NULL,
	"devices" integer NOT NULL,
	"online" integer NOT NULL,
	"with_findings" integer NOT NULL,
	CONSTRAINT "fleet_trend_at_country_model_pk" PRIMARY KEY("at","country","model")
);
