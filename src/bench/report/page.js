// Moves the points of a scatter plot to the two configurations that are chosen.
for (const figure of document.querySelectorAll("figure.scatter")) {
  const { names, times } = JSON.parse(figure.querySelector("script").textContent);
  const [across, up] = ["across", "up"].map((axis) => figure.querySelector(`select[data-axis=${axis}]`));
  const told = (time) => (time === null ? "not answered" : `${time} s`);
  const move = () => {
    const [x, y] = [across, up].map((select) => Number(select.value));
    for (const group of figure.querySelectorAll("g.points")) {
      const places = JSON.parse(group.dataset.places);
      group.querySelectorAll("circle").forEach((circle, board) => {
        const [here, there] = [places[x][board], places[y][board]];
        circle.setAttribute("visibility", here && there ? "visible" : "hidden");
        if (here && there) {
          circle.setAttribute("cx", here[0]);
          circle.setAttribute("cy", there[1]);
        }
        circle.querySelector("title").textContent =
          `${names[board]}: across ${told(times[x][board])}, up ${told(times[y][board])}`;
      });
    }
  };
  across.addEventListener("change", move);
  up.addEventListener("change", move);
}
