-- Lost: nothing. A service that starts stores the files of its pages again.
DROP TABLE "build_files";
