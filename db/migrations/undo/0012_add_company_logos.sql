-- Lost: the companies' logos.
DROP TABLE "company_logos";
