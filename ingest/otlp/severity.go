package otlp

import "strings"

// levels are the severities that names stand for: the short names of the
// specification, each the least of its range (logs data model, SeverityNumber),
// and those of syslog, log4j, Zap, java.util.logging and Python as its appendix
// B maps them.
var levels = map[string]int{
	"TRACE": 1, "DEBUG": 5, "INFO": 9, "WARN": 13, "ERROR": 17, "FATAL": 21,
	"VERBOSE": 1, "FINEST": 1, "FINER": 2, "FINE": 5, "CONFIG": 6, "INFORMATION": 9, "INFORMATIONAL": 9, "NOTICE": 10, "WARNING": 13,
	"ERR": 17, "SEVERE": 17, "CRIT": 18, "CRITICAL": 18, "DPANIC": 18, "ALERT": 19, "PANIC": 19, "EMERG": 21, "EMERGENCY": 21,
}

// severity is the number of a record, or what its text says where there is none:
// a producer may set either.
func severity(number int, text string) int {
	if number != 0 {
		return number
	}
	name := strings.ToUpper(strings.Trim(text, " []\t\r\n"))
	within := 0 // ERROR2 is one above ERROR
	if n := len(name) - 1; n > 0 && '2' <= name[n] && name[n] <= '4' {
		name, within = name[:n], int(name[n]-'1')
	}
	least, ok := levels[name]
	if !ok {
		return 0
	}
	return least + within
}
