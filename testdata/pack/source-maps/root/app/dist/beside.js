function a(){}a()
