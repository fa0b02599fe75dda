package stats_test

// tables has all claims of the package that are checked by simulation.
var tables = []table{
	runSizeTable(), familyTable(), sizeTable(), powerTable(), sequentialTable(),
	pairedIntervalTable(), pairedF1Table(), ratioTable(), quantileContrastTable(),
	shareTable(), kappaTable(), exactTable(), macroTable(), classTable(), precisionTable(), meanTable(), criticTable(),
	quantileTable(),
	brierTable(), aurocTable(), rareErrorsTable(), eceTable(), calibratedTable(), binTable(),
}
