import { ChartFrame, type ChartProps } from "@/components/charts/chart-frame";
import { VolumeSketch } from "@/components/charts/chart-sketch";
import { LaterDrawing } from "@/components/charts/later-drawing";

/** How much over time: an area per series, one over another. */
export function VolumeChart(props: ChartProps) {
  const { label: _, ...drawn } = props;
  return (
    <ChartFrame {...props}>
      <LaterDrawing {...drawn} kind="volume">
        <VolumeSketch {...drawn} />
      </LaterDrawing>
    </ChartFrame>
  );
}
