(function () {
  "use strict";
  var live = document.getElementById("live");
  if (!live || !window.EventSource) return; // the page says how it was when loaded
  var bars = live.querySelectorAll("rect"), rate = document.getElementById("rate");
  var state = document.getElementById("state"), list = document.getElementById("failures");
  var columns = list.parentNode.tHead.rows[0].cells;
  var most = 40;

  // Every text becomes a text node, so that nothing in it is read as HTML.
  function add(parent, name, text) {
    var element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  function row(f) {
    var tr = document.createElement("tr");
    var time = add(tr, "td");
    time.className = "short";
    add(time, "a", f.Time).setAttribute("href", f.Link);
    var message = add(tr, "td");
    message.className = "message";
    if (f.Code) { add(message, "code", f.Code); message.appendChild(document.createTextNode(" ")); }
    add(message, "bdi", f.Message);
    var agent = add(tr, "td");
    add(agent, "bdi", f.Agent);
    if (f.Operation) { add(agent, "br"); add(add(agent, "small"), "bdi", f.Operation); }
    add(tr, "td", f.Category).className = "category";
    add(tr, "td", f.Signal);
    Array.prototype.forEach.call(columns, function (th, i) { tr.cells[i].dataset.label = th.textContent; });
    return tr;
  }

  var first = true;
  var stream = new EventSource(live.dataset.stream);
  stream.onmessage = function (event) {
    var now = JSON.parse(event.data);
    rate.textContent = now.Rate;
    state.textContent = state.dataset.live;
    now.Seconds.forEach(function (n, i) {
      var height = now.Most ? Math.round(60 * n / now.Most) : 0;
      bars[i].setAttribute("height", height);
      bars[i].setAttribute("y", 60 - height);
    });
    if (first) list.replaceChildren(); // what follows has all that the page has
    first = false;
    now.Failures.slice().reverse().forEach(function (f) { list.insertBefore(row(f), list.firstChild); });
    while (list.children.length > most) list.removeChild(list.lastChild);
  };
  stream.onerror = function () { state.textContent = state.dataset.lost; };
})();
