-- Lost: which sound an employee chose.
ALTER TABLE "preferences" DROP COLUMN "sound";
