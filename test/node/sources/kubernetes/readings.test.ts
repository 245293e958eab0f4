/** The pages of readings: Kubernetes manifests, kustomize, Helm. */
import { testReadings } from '../readings.js';

await testReadings(import.meta.dirname);
