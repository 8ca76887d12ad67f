// Each check returns a list of faults in words.

function say(element) {
  var id = element.id ? "#" + element.id : "";
  return element.tagName.toLowerCase() + id + " " + JSON.stringify((element.textContent || "").trim().slice(0, 60));
}

function shown(element) {
  if (!element.checkVisibility({ visibilityProperty: true })) return false;
  var box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

// wide: the page must not scroll sideways.
function wide() {
  var most = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= most) return [];
  var faults = [];
  document.querySelectorAll("body *").forEach(function (e) {
    if (faults.length < 5 && !e.closest(".scroll, .skip") && e.getBoundingClientRect().right > most + 1) faults.push(say(e) + " reaches beyond " + most);
  });
  return faults.length ? faults : ["scrolls to " + document.documentElement.scrollWidth];
}

// whole: waits until the page is laid out and every chart drawn, or a minute
// is over.
async function whole() {
  function todo() {
    return document.querySelector("#overview") && !document.documentElement.classList.contains("whole") ||
      document.querySelector("#library") && document.querySelector(".chart:empty");
  }
  for (var end = performance.now() + 60000; todo() && performance.now() < end;) await new Promise(requestAnimationFrame);
}

// undrawn: every chart must have been drawn.
function undrawn() {
  var faults = [];
  document.querySelectorAll("script[data-chart]").forEach(function (data) {
    var place = document.getElementById(data.dataset.chart);
    var drawing = place && place.querySelector("svg, canvas");
    if (!drawing || !shown(drawing) || drawing.tagName === "svg" && drawing.querySelectorAll("path").length < 3) faults.push(data.dataset.chart + " is empty");
    else if (!place.getAttribute("aria-label")) faults.push(data.dataset.chart + " says nothing in words");
  });
  return faults;
}

// A colour as red, green, blue and alpha from 0 to 1.
function channels(colour) {
  var n = (colour.match(/[\d.]+/g) || []).map(Number);
  if (colour.indexOf("color(srgb") !== 0) n = n.map(function (v, i) { return i < 3 ? v / 255 : v; });
  return n.length === 3 ? n.concat(1) : n;
}

function luminance(c) {
  var l = c.slice(0, 3).map(function (v) { return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
  return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
}

function background(element) {
  for (; element; element = element.parentElement) {
    var c = channels(getComputedStyle(element).backgroundColor);
    if (c[3] > 0.99) return c;
  }
  return canvas();
}

// canvas is the colour of a page that sets none.
function canvas() {
  var probe = document.createElement("div");
  probe.style.backgroundColor = "Canvas";
  document.body.appendChild(probe);
  var c = channels(getComputedStyle(probe).backgroundColor);
  probe.remove();
  return c;
}

// faint: text has a contrast of 4.5 with what is behind it, large text of 3
// (WCAG 2.2, 1.4.3).
function faint() {
  var faults = {};
  document.querySelectorAll("body *").forEach(function (e) {
    var own = Array.prototype.some.call(e.childNodes, function (n) { return n.nodeType === 3 && n.textContent.trim(); });
    if (!own || !shown(e) || e.closest("script, style, svg")) return;
    var style = getComputedStyle(e);
    if (parseFloat(style.fontSize) === 0) return;
    var a = luminance(channels(style.color)), b = luminance(background(e));
    var contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    var large = parseFloat(style.fontSize) >= 24 || parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700;
    if (contrast < (large ? 3 : 4.5)) faults[style.color + contrast.toFixed(2)] = say(e) + " has a contrast of " + contrast.toFixed(2);
  });
  return Object.values(faults);
}

// structure: headings in order, named tables, a way past the contents.
function structure() {
  var faults = [], level = 0;
  document.querySelectorAll("h1, h2, h3, h4").forEach(function (h) {
    var own = Number(h.tagName[1]);
    if (own > level + 1) faults.push(say(h) + " skips a level");
    level = own;
  });
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1");
  document.querySelectorAll("table").forEach(function (t) {
    t.querySelectorAll("th").forEach(function (h) {
      if (!h.scope) faults.push("no scope: " + say(h));
    });
    if (!t.querySelector("th")) faults.push("no headers: " + say(t));
  });
  document.querySelectorAll("img:not([alt])").forEach(function (i) { faults.push("no alt: " + i.src); });
  if (!document.documentElement.lang) faults.push("no language");
  return faults;
}

// ran: nothing that came with an event may run or be followed.
function ran() {
  var faults = [];
  if (window.hostile) faults.push("text of an event ran");
  document.querySelectorAll("a[href]").forEach(function (a) {
    if (!/^(https?|file):$/.test(a.protocol)) faults.push("a link to " + a.href.slice(0, 60));
  });
  document.querySelectorAll("*").forEach(function (e) {
    Array.prototype.forEach.call(e.attributes, function (a) {
      if (/^on/i.test(a.name)) faults.push(say(e) + " has " + a.name);
    });
  });
  return faults;
}
