// Runs before the body is loaded. Until the script of the page has started, only the first view is
// shown, or no view if the address selects one.
(() => {
  const { classList } = document.documentElement;
  classList.add(location.hash.length > 1 ? 'selecting' : 'starting');
  addEventListener('DOMContentLoaded', () => classList.remove('selecting', 'starting'));
})();
