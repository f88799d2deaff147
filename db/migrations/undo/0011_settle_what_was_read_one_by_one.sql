-- Lost: nothing; the column only makes counting faster.
ALTER TABLE "employees" DROP COLUMN "settled_up_to";
