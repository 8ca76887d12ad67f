// Package browser tests what people see in a real browser: the reports and the
// pages of serve, made by the real program, opened in headless Chromium.
//
// It is a module of its own, so that who installs the program does not fetch a
// browser's driver. It has no code but its tests; they skip where there is no
// Chromium.
package browser
