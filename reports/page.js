(function () {
  "use strict";
  var root = document.documentElement;

  // What is behind a row is three quarters of the page. Where scripts run, the
  // browser takes it for a text, which is made part of the page when the row opens.
  function show(row) {
    var hidden = row && row.querySelector("noscript");
    if (hidden) hidden.parentNode.innerHTML = hidden.textContent;
  }
  function showAll(rows) { document.querySelectorAll(rows).forEach(show); }
  function showTarget() { showAll("tr:target + .behind"); }

  // Capturing, as this event does not bubble.
  document.addEventListener("toggle", function (event) {
    if (event.target.matches(".opens")) show(event.target.closest("tr").nextElementSibling);
  }, true);
  window.addEventListener("hashchange", showTarget);
  showTarget();
  if (CSS.supports("selector(:has(*))")) showAll("tr:has(> th > .opens[open]) + .behind"); // opened while the page came
  else showAll(".behind"); // every row is open there

  // What takes long is done after the browser has shown what there is.
  function later(work) {
    window.requestAnimationFrame(function () { setTimeout(work, 0); });
  }

  // The sections below the first screen are laid out after it, or as soon as a
  // link leads to one: where it stands is not known before.
  function layOut() { root.classList.add("whole"); }
  document.addEventListener("click", function (event) {
    if (event.target.closest("a[href^='#']")) layOut();
  }, true);
  if (location.hash) layOut();
  else window.addEventListener("load", function () { later(layOut); });

  var library = document.getElementById("library");
  if (!library) return; // the tables say it all
  var printWidth = 660; // of A4 between margins of 15 mm, in CSS pixels

  function colour(name) { return getComputedStyle(root).getPropertyValue(name).trim(); }

  function theme() {
    var ink = colour("--ink"), soft = colour("--soft"), line = colour("--line");
    var axis = {
      axisLine: { show: true, lineStyle: { color: soft } },
      axisTick: { show: false },
      axisLabel: { color: soft, fontSize: 12 },
      splitLine: { show: false }
    };
    var values = {
      axisLine: { show: false }, axisTick: { show: false },
      axisLabel: { color: soft, fontSize: 12 },
      splitLine: { show: true, lineStyle: { color: line } }
    };
    return {
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      categoryAxis: axis, valueAxis: values,
      legend: { textStyle: { color: ink, fontSize: 12 } },
      bar: { label: { color: ink } },
      scatter: { itemStyle: { opacity: 1 } },
      tooltip: { backgroundColor: colour("--paper"), borderColor: soft, textStyle: { color: ink, fontSize: 13 } }
    };
  }

  // A tooltip is a text node, so that nothing in it is read as HTML.
  function tooltip(tips) {
    return function (points) {
      var box = document.createElement("div");
      box.style.whiteSpace = "pre-line";
      box.style.maxWidth = "20rem";
      box.textContent = tips[points[0].dataIndex];
      return box;
    };
  }

  function fit(option, horizontal, width) {
    if (!horizontal) return;
    if (width < 480) option.xAxis[0].splitNumber = 2;
    option.yAxis[0].axisLabel = Object.assign({}, option.yAxis[0].axisLabel, {
      width: Math.min(210, Math.round(width * 0.36)), overflow: "truncate", interval: 0
    });
  }

  // The charts' library stands in the page as text, since running it takes as
  // long as all else.
  function run() {
    if (window.echarts) return;
    var script = document.createElement("script");
    script.textContent = library.textContent;
    document.head.appendChild(script);
  }

  function paint(place) {
    run();
    var spec = JSON.parse(document.querySelector('script[data-chart="' + place.id + '"]').textContent);
    var wide = root.classList.contains("print") ? printWidth : place.clientWidth;
    spec.option.tooltip.formatter = tooltip(spec.tips);
    spec.option.tooltip.confine = true;
    fit(spec.option, spec.horizontal, wide);
    var before = window.echarts.getInstanceByDom(place);
    if (before) before.dispose(); // only now, so that its place is never empty
    var chart = window.echarts.init(place, theme(), { renderer: "svg", width: wide });
    chart.setOption(spec.option);
  }

  // Charts are drawn one by one, and all at once before printing.
  var waiting = [];
  function next() {
    if (waiting.length === 0) return;
    paint(waiting.shift());
    later(next);
  }

  function draw() {
    waiting = Array.prototype.slice.call(document.querySelectorAll(".chart"));
    if (root.classList.contains("print")) waiting.splice(0).forEach(paint);
    else later(next);
  }

  var pending = 0, before = window.innerWidth, opened = [];
  function start() {
    root.classList.add("charts");
    draw();
    window.addEventListener("resize", function () {
      if (window.innerWidth === before || root.classList.contains("print")) return; // a phone's address bar
      before = window.innerWidth;
      clearTimeout(pending);
      pending = setTimeout(draw, 120);
    });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    window.addEventListener("beforeprint", function () {
      root.classList.add("print");
      opened = Array.prototype.slice.call(document.querySelectorAll("details:not([open]):not(.opens)"));
      opened.forEach(function (d) { d.open = true; });
      draw();
    });
    window.addEventListener("afterprint", function () {
      root.classList.remove("print");
      opened.forEach(function (d) { d.open = false; });
      draw();
    });
  }
  if (library.src) library.addEventListener("load", start);
  else start();
})();
